// The viewers of a live session.

export interface LiveViewer {
  picture(bytes: Buffer): void
  facts(facts: ViewFacts): void
  copied?(text: string): void
  ended?(): void
}

export interface ViewFacts {
  url: string
  title: string
  tabs: { id: string; title: string; url: string; current: boolean }[]
  watchers: number
  drivers: number
  programs: number
  dialog: { kind: string; message: string; value: string } | null
  /** What the service asks people to do; null: nothing. */
  notice: string | null
  width: number
  height: number
}

/** `film`: the recorder, not counted as a person. */
export type ViewerRole = 'watch' | 'drive' | 'film'

interface ViewerEntry {
  watcher: LiveViewer
  role: ViewerRole
  busy: boolean
  waiting: Buffer | undefined
}

interface ViewerSet {
  readonly guests: ReadonlySet<ViewerEntry>
  add(watcher: LiveViewer, role: ViewerRole): ViewerEntry
  remove(guest: ViewerEntry): void
  clear(): void
  show(picture: Buffer, goOn: () => void): void
  ready(guest: ViewerEntry): void
  catchUp(guest: ViewerEntry): boolean
  forget(): void
}

export function openViewers(): ViewerSet {
  const guests = new Set<ViewerEntry>()
  let last: Buffer | undefined
  let next: (() => void) | undefined
  const askForNext = () => {
    if (!next || ![...guests].some(({ waiting }) => waiting === undefined)) return
    const goOn = next
    next = undefined
    goOn()
  }
  return {
    guests,
    add(watcher, role) {
      const guest: ViewerEntry = { watcher, role, busy: false, waiting: undefined }
      guests.add(guest)
      return guest
    },
    remove(guest) {
      guests.delete(guest)
      askForNext()
    },
    clear: () => guests.clear(),
    show(picture, goOn) {
      last = picture
      for (const guest of guests) give(guest, picture)
      next = goOn
      askForNext()
    },
    ready(guest) {
      const { waiting } = guest
      guest.busy = false
      guest.waiting = undefined
      if (waiting) give(guest, waiting)
      askForNext()
    },
    catchUp(guest) {
      if (last) give(guest, last)
      return last !== undefined
    },
    forget() {
      last = undefined
      next = undefined
    },
  }
}

function give(guest: ViewerEntry, picture: Buffer): void {
  if (guest.busy) guest.waiting = picture
  else {
    guest.busy = true
    guest.watcher.picture(picture)
  }
}

export function countHumanViewers({ guests }: ViewerSet): { watchers: number; drivers: number } {
  const people = [...guests].filter(({ role }) => role !== 'film')
  return { watchers: people.length, drivers: people.filter(({ role }) => role === 'drive').length }
}
