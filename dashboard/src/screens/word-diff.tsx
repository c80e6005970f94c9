// A unified diff for people: lines that changed, with the words in them that did.

interface Line {
  mark: string
  text: string
}

interface Group {
  context: string[]
  gone: string[]
  come: string[]
}

const MAX_LINES = 200

export function WordDiff({ text, asPairs = false }: { text: string; asPairs?: boolean }) {
  const groups = groupsOf(linesOf(text))
  if (asPairs)
    return (
      <div class="word-diff">
        {groups.map(({ context, gone, come }, at) => (
          <div class="diff-pair" key={`${at} ${gone[0]} ${come[0]}`}>
            <div>
              <Context lines={context} />
              {gone.map((line, n) => (
                <Words key={`- ${line}`} tag="del" words={markWords(line, come[n])} />
              ))}
            </div>
            <div>
              <Context lines={context} />
              {come.map((line, n) => (
                <Words key={`+ ${line}`} tag="ins" words={markWords(line, gone[n])} />
              ))}
            </div>
          </div>
        ))}
      </div>
    )
  return (
    <div class="word-diff">
      {groups.map(({ context, gone, come }, at) => (
        <div key={`${at} ${gone[0]} ${come[0]}`}>
          <Context lines={context} />
          {gone.map((line, n) => (
            <Words key={`- ${line}`} tag="del" words={markWords(line, come[n])} />
          ))}
          {come.map((line, n) => (
            <Words key={`+ ${line}`} tag="ins" words={markWords(line, gone[n])} />
          ))}
        </div>
      ))}
    </div>
  )
}

const Context = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, n) => (
      <div key={`${n} ${line}`} class="faint break">
        {line}
      </div>
    ))}
  </>
)

function Words({ tag, words }: { tag: 'del' | 'ins'; words: { text: string; isOwn: boolean }[] }) {
  const Tag = tag
  return (
    <div class={`diff-line ${tag} break`}>
      <span class="sr-only">{tag === 'del' ? 'removed: ' : 'added: '}</span>
      {words.map(({ text, isOwn }, at) => (isOwn ? <Tag key={`${at} ${text}`}>{text}</Tag> : text))}
    </div>
  )
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !/^(?:---|\+\+\+|@@)/.test(line))
    .slice(0, MAX_LINES)
    .map((line) => ({ mark: line[0] ?? ' ', text: line.slice(1) }))

function groupsOf(lines: readonly Line[]): Group[] {
  const groups: Group[] = []
  for (const { mark, text } of lines) {
    const last = groups.at(-1)
    if (mark === ' ') {
      if (last && last.gone.length + last.come.length === 0) last.context.push(text)
      else groups.push({ context: [text], gone: [], come: [] })
      continue
    }
    const group = last ?? { context: [], gone: [], come: [] }
    if (!last) groups.push(group)
    if (mark === '-') group.gone.push(text)
    else group.come.push(text)
  }
  return groups.filter(({ gone, come }) => gone.length + come.length > 0)
}

/** The words of a line; those that the other line does not have are its own. */
function markWords(line: string, other: string | undefined): { text: string; isOwn: boolean }[] {
  if (other === undefined) return [{ text: line, isOwn: true }]
  const theirs = new Set(other.split(/(\s+)/))
  const words = line.split(/(\s+)/).map((text) => ({ text, isOwn: !theirs.has(text) && text.trim() !== '' }))
  return words.some(({ isOwn }) => isOwn) ? words : [{ text: line, isOwn: true }]
}
