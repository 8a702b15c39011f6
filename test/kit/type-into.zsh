# FOLDER LINE…: types each line and a tab into a zsh that has the completions of the folder, and prints what becomes of it.
zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; setopt NO_BEEP; stty -echo; print RE''ADY"
zpty -r z out '*READY*'
shift
for line in "$@"; do
  zpty -w -n z "$line"$'\t\C-a'"print -r -- '<"$'\C-e'">'"$'\n'
  zpty -r z out $'*\n<*>*'
  print -r -- "${${out##*$'\n'<}%%>*}"
done
zpty -d z
