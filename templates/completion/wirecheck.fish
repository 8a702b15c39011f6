# Completion of wirecheck for fish, made by `wirecheck completion fish`.
# Installed with npm in a project? Then define the command in the start-up file of your shell:
#   function wirecheck; npx --no-install wirecheck $argv; end
function __wirecheck_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l word (commandline -ct)
  # Of --flag=FILE, the file alone is a path.
  set -l flag (string match -r '^[^=]*=' -- "$word")
  set -l path (string replace -r '^[^=]*=' '' -- "$word")
  for line in (wirecheck complete -- $words "$word" 2>/dev/null)
    switch $line
      case ':files'
        for each in (__fish_complete_path "$path"); echo "$flag$each"; end
      case ':folders'
        for each in (__fish_complete_directories "$path"); echo "$flag$each"; end
      case '*'
        echo $line
    end
  end
end
complete -c wirecheck -f -a '(__wirecheck_complete)'
