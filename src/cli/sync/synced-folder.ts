// A folder of markdown files that follows a site. What is known is read from the files themselves, so that a run after
// a crash mends it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { makeFileNamer } from '../../capabilities/jobs/archive-file-names.ts'

const STATE = '.orb-sync.json'
const LOCK = '.orb-sync.lock'
const TEMPORARY = /^\.orb-.*\.tmp$/
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n\n/

interface SyncState {
  at: string
  /** Another site or other options start anew. */
  of: string
}

interface PageFile {
  url: string
  markdown: string
  title?: string | undefined
  /** Values of the page for the front matter. */
  data?: unknown
  time: string
}

export type SyncedFolder = ReturnType<typeof openSyncedFolder>

export const hashMarkdown = (markdown: string): string => createHash('sha256').update(markdown).digest('hex')

export function openSyncedFolder(root: string) {
  mkdirSync(root, { recursive: true })
  const release = lock(join(root, LOCK))
  const files = new Map<string, { name: string; isWhole: boolean; hash: string }>()
  const taken = new Set<string>()
  for (const name of namesIn(root)) {
    const found = readPage(readFileSync(join(root, name), 'utf8'))
    taken.add(name.toLowerCase())
    if (found) files.set(found.url, { name, isWhole: hashMarkdown(found.markdown) === found.hash, hash: found.hash })
  }
  const nameFor = makeFileNamer(taken)
  const put = (name: string, text: string) => {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    const temporary = join(dirname(path), `.orb-${process.pid}.tmp`)
    writeFileSync(temporary, text)
    // A reader, and a run after a crash, see the old file or the new one.
    renameSync(temporary, path)
  }
  return {
    since(of: string) {
      try {
        const state = JSON.parse(readFileSync(join(root, STATE), 'utf8')) as SyncState
        return state.of === of ? state.at : undefined
      } catch {
        return undefined
      }
    },
    isWhole: (url: string) => files.get(url)?.isWhole === true,
    write({ url, markdown, title, data, time }: PageFile) {
      const hash = hashMarkdown(markdown)
      const known = files.get(url)
      if (known?.isWhole && known.hash === hash) return false
      const name = known?.name ?? nameFor(url).split('/').join(sep)
      const facts = { url, ...(title ? { title } : {}), hash, fetched: time, ...(data == null ? {} : { data }) }
      const head = Object.entries(facts).map(([fact, value]) => `${fact}: ${JSON.stringify(value)}`)
      put(name, `---\n${head.join('\n')}\n---\n\n${markdown}`)
      files.set(url, { name, isWhole: true, hash })
      return true
    },
    remove(url: string) {
      const known = files.get(url)
      if (!known) return false
      rmSync(join(root, known.name), { force: true })
      return files.delete(url)
    },
    end: (state: SyncState) => put(STATE, `${JSON.stringify(state)}\n`),
    close: release,
  }
}

function readPage(text: string): { url: string; hash: string; markdown: string } | undefined {
  const head = FRONT_MATTER.exec(text)
  const fact = (name: string) => new RegExp(`^${name}: (".*")$`, 'm').exec(head?.[1] ?? '')?.[1]
  const [url, hash] = [fact('url'), fact('hash')]
  if (!head || !url || !hash) return undefined
  try {
    return { url: JSON.parse(url) as string, hash: JSON.parse(hash) as string, markdown: text.slice(head[0].length) }
  } catch {
    return undefined
  }
}

function namesIn(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true })
  return entries.flatMap((entry) => {
    if (!entry.isFile()) return []
    const path = join(entry.parentPath, entry.name)
    if (TEMPORARY.test(entry.name)) rmSync(path, { force: true })
    return entry.name.endsWith('.md') ? [relative(root, path)] : []
  })
}

/** Two runs at once would write over each other; the lock of a process that died is taken over. */
function lock(path: string): () => void {
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 0) throw error
      const owner = Number(readFileSync(path, 'utf8'))
      if (isAlive(owner)) throw new Error(`another \`orb sync\` (process ${owner}) is writing to this folder`)
      rmSync(path, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
