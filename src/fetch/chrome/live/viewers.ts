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
export type GuestRole = 'watch' | 'drive' | 'film'

interface Guest {
  watcher: LiveViewer
  role: GuestRole
  busy: boolean
  waiting: Buffer | undefined
}

interface Audience {
  readonly guests: ReadonlySet<Guest>
  add(watcher: LiveViewer, role: GuestRole): Guest
  remove(guest: Guest): void
  clear(): void
  show(picture: Buffer, goOn: () => void): void
  ready(guest: Guest): void
  catchUp(guest: Guest): boolean
  forget(): void
}

export function openAudience(): Audience {
  const guests = new Set<Guest>()
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
      const guest: Guest = { watcher, role, busy: false, waiting: undefined }
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

function give(guest: Guest, picture: Buffer): void {
  if (guest.busy) guest.waiting = picture
  else {
    guest.busy = true
    guest.watcher.picture(picture)
  }
}

export function peopleIn({ guests }: Audience): { watchers: number; drivers: number } {
  const people = [...guests].filter(({ role }) => role !== 'film')
  return { watchers: people.length, drivers: people.filter(({ role }) => role === 'drive').length }
}
