#compdef wirecheck
# Completion of wirecheck for zsh, made by `wirecheck completion zsh`.
# Installed with npm in a project? Then define the command in the start-up file of your shell:
#   wirecheck() { npx --no-install wirecheck "$@"; }
_wirecheck() {
  local line kind
  local -a offered
  for line in "${(@f)$(wirecheck complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :*) kind=$line ;;
      *) offered+=("${line/$'\t'/:}") ;;
    esac
  done
  ((${#offered})) && _describe wirecheck offered
  [[ -n $kind ]] && compset -P 1 '*='
  case $kind in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _wirecheck ]]; then _wirecheck "$@"; else compdef _wirecheck wirecheck; fi
