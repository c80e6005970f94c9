// docs/cli.md, generated from the commands by `npm run docs`.
import { type Command, exitCodes } from './command.ts'
import { writeCommandHelp } from './help.ts'

export function writeCommandManual(commands: readonly Command[]): string {
  const codes = Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`)
  return [
    '`npx orbweaver <command>` in the checkout. Commands find the service at `ORB_URL`, or on this machine. The key is `ORB_API_KEY`, or the first key in the data folder, which is sent only to this machine. Commands are generated from the schemas of the API, so every capability has one.',
    '```text\n$ npx orbweaver scrape https://example.com\n$ npx orbweaver scrape https://example.com --formats markdown,links --json\n$ npx orbweaver crawl https://example.com --limit 50 -o pages/\n$ npx orbweaver parse report.pdf > report.md\n$ npx orbweaver doctor\n```',
    'Results go to standard output, everything else (progress, notes, errors) to standard error. `--json` prints the response as the service sent it, `--jq FILTER` what a jq filter selects from it.',
    '## Exit codes',
    ['| Code | Meaning |', '|---|---|', ...codes].join('\n'),
    '## Commands',
    ['| Command | What it does |', '|---|---|', ...commands.map(rowOf)].join('\n'),
    ...commands
      .filter(({ details }) => details)
      .map((command) => `### orb ${command.name}\n\n\`\`\`text\n${writeCommandHelp(command)}\n\`\`\``),
  ].join('\n\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rowOf = ({ usage, summary }: Command): string =>
  `| \`orb ${cell(usage.replace(/ \[flags\]$/, ''))}\` | ${cell(summary)} |`
