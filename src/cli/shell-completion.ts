// `orb completion`: a static script, because a dynamic one would start Node at every key press.
import { type Command, exitCodes, UsageError } from './command.ts'

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'
const HOW: Readonly<Record<Shell, string>> = {
  bash: 'eval "$(orb completion bash)" in ~/.bashrc',
  zsh: 'eval "$(orb completion zsh)" in ~/.zshrc, after compinit',
  fish: 'orb completion fish > ~/.config/fish/completions/orb.fish',
  powershell: 'orb completion powershell | Out-String | Invoke-Expression, in $PROFILE',
}

export const makeShellCompletionCommand = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: 'completion <bash|zsh|fish|powershell>',
  summary: 'print a script that completes commands and flags',
  details: () =>
    Object.entries(HOW)
      .map(([shell, how]) => `  ${shell.padEnd(12)}${how}`)
      .join('\n'),
  async run([shell, ...more]) {
    if (more.length > 0 || !shell || !Object.hasOwn(HOW, shell))
      throw new UsageError('name bash, zsh, fish or powershell')
    console.log({ bash, zsh, fish, powershell }[shell as Shell](all()))
    return exitCodes.done.code
  },
})

function wordsAfter(commands: readonly Command[]): Map<string, Set<string>> {
  const after = new Map<string, Set<string>>()
  for (const { name } of [...commands, { name: 'help' }]) {
    const words = name.split(' ')
    for (const [at, word] of words.entries()) {
      const before = words.slice(0, at).join(' ')
      after.set(before, (after.get(before) ?? new Set()).add(word))
    }
  }
  return after
}

const longestFirst = (commands: readonly Command[]): Command[] =>
  [...commands].sort((a, b) => b.name.split(' ').length - a.name.split(' ').length)

function bash(commands: readonly Command[]): string {
  const words = [...wordsAfter(commands)].map(([before, next]) => `    "${before}") words="${[...next].join(' ')}" ;;`)
  const flags = longestFirst(commands).flatMap(({ name, flags: own }) =>
    own ? [`    "${name}"|"${name} "*) words="${own().join(' ')}" ;;`] : [],
  )
  return [
    '# Completion of orb for bash.',
    '_orb() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own braces.
    '  local cur="${COMP_WORDS[COMP_CWORD]}" before="" word words="" at',
    // Counted, not sliced: zsh takes `:COMP_CWORD` in a slice for a modifier.
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own braces.
    '    word="${COMP_WORDS[at]}"',
    '    case "$word" in -*) break ;; esac',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own braces.
    '    before="${before:+$before }$word"',
    '  done',
    '  if [[ "$cur" == -* ]]; then',
    '    case "$before" in',
    ...flags,
    '    esac',
    '  else',
    '    case "$before" in',
    ...words,
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own braces.
    '  if [[ ${#COMPREPLY[@]} -eq 0 && "$cur" != -* ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi',
    '}',
    'complete -F _orb orb',
  ].join('\n')
}

const zsh = (commands: readonly Command[]): string =>
  [
    '# Completion of orb for zsh.',
    'autoload -U +X bashcompinit && bashcompinit',
    ...bash(commands).split('\n').slice(1),
  ].join('\n')

function fish(commands: readonly Command[]): string {
  const quoteForFish = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
  const test = (words: readonly string[], depth: number) => {
    const seen = words.map((word, at) => `test "$words[${at + 2}]" = ${word}`)
    return quoteForFish(
      ['set -l words (commandline -opc)', ...seen, ...(depth < 0 ? [] : [`test (count $words) -eq ${depth}`])].join(
        '; and ',
      ),
    )
  }
  const lines = [...wordsAfter(commands)].flatMap(([before, next]) => {
    const words = before === '' ? [] : before.split(' ')
    return [...next].map((word) => {
      const named = commands.find(({ name }) => name === [...words, word].join(' '))
      const about = named ? ` -d ${quoteForFish(named.summary)}` : ''
      return `complete -c orb -f -n ${test(words, words.length + 1)} -a ${word}${about}`
    })
  })
  const flags = commands.flatMap(({ name, flags: own }) =>
    (own?.() ?? []).map((flag) => `complete -c orb -n ${test(name.split(' '), -1)} -l ${flag.slice(2)}`),
  )
  return ['# Completion of orb for fish.', ...lines, ...flags].join('\n')
}

function powershell(commands: readonly Command[]): string {
  const table = (rows: Iterable<readonly [name: string, words: Iterable<string>]>) =>
    [...rows].map(([name, words]) => `  '${name}' = '${[...words].join(' ')}'`)
  return [
    '# Completion of orb for PowerShell.',
    '$global:OrbWords = @{',
    ...table(wordsAfter(commands)),
    '}',
    '$global:OrbFlags = @{',
    ...table(commands.flatMap(({ name, flags }) => (flags ? [[name, flags()] as const] : []))),
    '}',
    'Register-ArgumentCompleter -Native -CommandName orb -ScriptBlock {',
    '  param($word, $ast, $cursor)',
    '  $before = @()',
    '  foreach ($element in ($ast.CommandElements | Select-Object -Skip 1)) {',
    '    if ($element.Extent.EndOffset -ge $cursor -or "$element".StartsWith("-")) { break }',
    '    $before += "$element"',
    '  }',
    '  $offered = $OrbWords[$before -join " "]',
    '  if ($word.StartsWith("-")) {',
    '    while ($before.Count -gt 0 -and -not $OrbFlags.ContainsKey($before -join " ")) {',
    '      $before = @($before | Select-Object -SkipLast 1)',
    '    }',
    '    $offered = $OrbFlags[$before -join " "]',
    '  }',
    '  "$offered".Split(" ") | Where-Object { $_ -and $_ -like "$word*" } | ForEach-Object {',
    '    [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)',
    '  }',
    '}',
  ].join('\n')
}
