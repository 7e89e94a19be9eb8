"""What profiles take of processes, by the samples of `perf`.

Ratios of two processes scatter by more than profiles cost, since no two JVMs compile the same; the
share of a process's samples that lie in what profiles do does not. What a process without profiles
has there too (any process is sent signals) is no cost of theirs.
"""

import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

FREQUENCY = 499  # not a divisor of any timer's
ATTEMPTS = 5  # perf ends where a thread does while it attaches to them
KINDS = {
    "writing": "ending chunks, taking them apart, recordings, pages and the index",
    "walking": "async-profiler and the wall clock's handler: walking stacks, writing samples",
    "signals": "the kernel's timers and signals",
}
WRITERS = "reprise-flame"
SAMPLER = re.compile(r"libasyncProfiler|\breprise::profile::")
SIGNALS = re.compile(
    r"\b(irqentry_exit_to_user_mode|asm_sysvec_irq_work|perf_ioctl"  # async-profiler's event=cpu
    r"|get_signal|arch_do_signal_or_restart|\w*rt_sigreturn|\w*setup_rt_frame|restore_fpregs\w*"
    r"|copy_fpstate\w*|posix_timer_\w+|posix_cpu_timers_work|run_posix_cpu_timers|send_sigqueue"
    r"|\w*send_signal\w*|signal_wake_up\w*|dequeue_signal|collect_signal|\w*timer_settime)\b"
)


def kind_of(thread: str, frames: list[str]) -> str | None:
    """What of profiles a sample lies in; `frames` are lines of `perf script`."""
    if thread.startswith(WRITERS):
        return "writing"
    if any(SAMPLER.search(frame) for frame in frames):
        return "walking"
    if any(SIGNALS.search(frame) for frame in frames):
        return "signals"
    return None


class Samples:
    """Samples of running processes, of all their threads. `problem` says why there are none."""

    def __init__(self, pids: dict[str, int]):
        self.pids = {pid: name for name, pid in pids.items()}
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "perf.data"
        self.process = None
        self.problem = "" if shutil.which("perf") else "perf is not installed (Debian: linux-perf)"

    def start(self) -> None:
        if self.problem:
            return
        command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-g"]
        chosen = ["-p", ",".join(map(str, self.pids)), "-o", str(self.file)]
        for _ in range(ATTEMPTS):
            self.process = subprocess.Popen(
                command + chosen, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
            try:
                self.process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                return

    def end(self) -> dict[str, dict[str, float]]:
        """By process: the number of its samples, and the share of each of KINDS.

        Nothing where perf has not recorded each process.
        """
        counted = {name: Counter() for name in self.pids.values()}
        if self.process:
            self.process.send_signal(signal.SIGINT)
            _, said = self.process.communicate(timeout=60)
            script = [
                "perf",
                "script",
                "--no-inline",
                "-i",
                str(self.file),
                "-F",
                "comm,pid,ip,sym,dso",
            ]
            shown = subprocess.run(
                [*script, "-i", str(self.file)], capture_output=True, text=True, errors="replace"
            )
            self._count(shown.stdout, counted)
            if not all(of["samples"] for of in counted.values()):
                self.problem = f"perf has recorded nothing: {said.strip() or shown.stderr.strip()}"
        self.folder.cleanup()
        if self.problem:
            return {}
        return {
            name: {"samples": of["samples"]} | {kind: of[kind] / of["samples"] for kind in KINDS}
            for name, of in counted.items()
        }

    def _count(self, script: str, counted: dict[str, Counter]) -> None:
        for sample in script.split("\n\n"):
            head, *frames = sample.strip().splitlines() or [""]
            thread, _, pid = head.strip().rpartition(" ")
            if pid.isdigit() and int(pid) in self.pids:
                of_process = counted[self.pids[int(pid)]]
                of_process["samples"] += 1
                of_process[kind_of(thread.strip(), frames)] += 1


def beyond(name: str, shares: dict[str, dict[str, float]]) -> str:
    """What the side takes beyond the side "off", in all and by kind, as lines of a table."""
    taken = {kind: shares[name][kind] - shares["off"][kind] for kind in KINDS}
    samples = f"{shares[name]['samples']} samples of side {name!r}"
    return "\n".join(
        [f"{sum(taken.values()):7.2%} of {samples} are of profiles:"]
        + [
            f"{taken[kind]:9.2%} {title} (beside the {shares['off'][kind]:.2%} of side 'off')"
            for kind, title in KINDS.items()
        ]
    )
