# Completion of wirecheck for bash, made by `wirecheck completion bash`.
# Installed with npm in a project? Then define the command in the start-up file of your shell:
#   wirecheck() { npx --no-install wirecheck "$@"; }
_wirecheck() {
  local word=${COMP_WORDS[COMP_CWORD]} line
  [[ $word == = ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        local kind=-f
        [[ $line == :folders ]] && kind=-d
        # bash 3.2 has no compopt.
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$word") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(wirecheck complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _wirecheck wirecheck
