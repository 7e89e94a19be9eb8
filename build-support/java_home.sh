# Sourced: sets JAVA_HOME to a JDK of version 17 where it isn't set, so that CMake, Maven and Spark use the same one.
if [[ -z ${JAVA_HOME:-} ]]; then
  for candidate in /usr/lib/jvm/java-17-openjdk-*; do
    [[ -x $candidate/bin/javac ]] && JAVA_HOME=$candidate
  done
  if [[ -z ${JAVA_HOME:-} ]] && command -v javac >/dev/null; then
    JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  fi
fi
[[ -n ${JAVA_HOME:-} ]] && export JAVA_HOME && export PATH="$JAVA_HOME/bin:$PATH"
true
