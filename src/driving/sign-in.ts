// Signs in with a vault entry. Its values are typed only into fields of its registrable domain, and shown as dots.
import type { ElementHandle, Frame } from 'playwright-core'
import { registrableDomainOrHost } from '../base/registrable-domain.ts'
import { readDocumentId, type SignInGuard } from '../fetch/chrome/sign-in-guard.ts'
import {
  type DomSnapshot,
  isShown,
  labelOfElement,
  type SnapshotElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { serializeVisibleState } from './compare-page-states.ts'
import { maskValues } from './mask-values.ts'
import type { PageDriver } from './page-driver.ts'
import { makeTotpCode, parseTotpAddress } from './totp-codes.ts'

export interface VaultEntry {
  /** A host; fields of its registrable domain get the values. */
  domain: string
  username: string
  password: string
  /** An `otpauth://totp/` address. */
  totp?: string | undefined
  /** Other fields, by label. */
  fields?: Readonly<Record<string, string>> | undefined
  /** Ids of the keys that may use it; all with the right `vault` where absent. */
  keys?: readonly string[] | undefined
  /** Names of the flows that may use it, and nothing else. */
  flows?: readonly string[] | undefined
  /** Other registrable domains that pages may send requests to while it is typed. */
  hosts?: readonly string[] | undefined
  /** Also where code of the caller runs, which can read what is typed. */
  code?: boolean | undefined
}

interface SignInOptions {
  /** Also on http pages of a loopback host, for tests. */
  allowLoopbackHttp: boolean
  nowMs(): number
  /** Called when the page asks for a one-time code that a person must type, and again when the wait ends. */
  onCodeNeeded?(isWaiting: boolean): void
}

export interface VaultAccess extends SignInOptions {
  /** The entry, or the reason why it may not be used. */
  vault(name: string): Promise<VaultEntry | string>
}

/** Values of an entry to hide everywhere; one-time codes are not listed, because they expire at once. */
const listVaultEntrySecrets = ({ username, password, fields }: VaultEntry): string[] => [
  password,
  username,
  ...Object.values(fields ?? {}),
]

/** Undefined when signed in, else the reason why not. */
export async function signIn(
  driver: PageDriver,
  entry: VaultEntry,
  options: SignInOptions & { guard: SignInGuard },
): Promise<string | undefined> {
  const { guard } = options
  if (guard.hasRunCode && !entry.code)
    return 'the caller’s code has run in this browser and could read typed text; sign in first, or store the entry with `code: true`'
  const { page } = driver
  const secrets = listVaultEntrySecrets(entry)
  guard.masker.add(secrets)
  const { domain, hosts = [] } = entry
  const domains = [domain, ...hosts].map(registrableDomainOrHost)
  const isAllowed = (address: string) =>
    domains.some((one) => mayReceiveVaultValues(address, one, options.allowLoopbackHttp))
  let release: (() => void) | undefined
  const onPut = async () => {
    release ??= guard.restrictRequests(isAllowed)
    if (!entry.code) guard.typed = { document: await readDocumentId(page), values: [entry.password] }
  }
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  // What was typed is gone with its document, and the next one may need other sites.
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId) return
    release?.()
    release = undefined
  })
  try {
    await maskValues(page.context(), registrableDomainOrHost(domain), secrets)
    return await typeEntry(driver, entry, options, onPut)
  } finally {
    release?.()
    await session.detach().catch(() => {})
  }
}

async function typeEntry(driver: PageDriver, entry: VaultEntry, options: SignInOptions, onPut: () => Promise<void>) {
  const find = (isIt: (one: SnapshotElement) => boolean) => fieldsIn(driver.snapshot).find(isIt)
  const isThere = (isIt: (one: SnapshotElement) => boolean) =>
    driver.until((snapshot) => fieldsIn(snapshot).some(isIt), FIELD_MS)
  if (!(await isThere((one) => isPassword(one) || isUsername(one))))
    return 'the page has no field for a user name or a password'
  const put = async (field: SnapshotElement, value: string): Promise<string | undefined> => {
    const handle = await driver.handle(field)
    const refusal = await whyNotTyped(handle, entry.domain, options)
    if (refusal) return refusal
    await onPut()
    await maskField(handle)
    return (await driver.fill(field, value)) ? undefined : `"${labelOfElement(field)}" did not take the value`
  }
  for (const [label, value] of Object.entries(entry.fields ?? {})) {
    const field = find((one) => labelOfElement(one).trim().toLowerCase() === label.trim().toLowerCase())
    const refusal = field && (await put(field, value))
    if (refusal) return refusal
  }
  const user = find(isUsername)
  if (user) {
    const refusal = await put(user, entry.username)
    if (refusal) return refusal
  }
  if (!find(isPassword)) {
    if (user) await submit(driver, user)
    if (!(await isThere(isPassword))) return 'the page did not ask for a password'
  }
  const secret = find(isPassword)!
  const refusal = await put(secret, entry.password)
  if (refusal) return refusal
  await submit(driver, secret)
  if (entry.totp) {
    const isAsked = await isThere(isCode)
    const field = isAsked ? find(isCode) : undefined
    if (field) {
      const why = await put(field, makeTotpCode(parseTotpAddress(entry.totp)!, options.nowMs()))
      if (why) return why
      await submit(driver, field)
    }
  }
  const isDone = await driver.until((snapshot) => !fieldsIn(snapshot).some((one) => isPassword(one)), FIELD_MS)
  if (!isDone) return 'the page still asks for a password'
  return find(isCode) ? waitForCode(driver, options) : undefined
}

/** A code that came by mail or SMS is typed by a person, into the page. */
async function waitForCode(driver: PageDriver, { onCodeNeeded }: SignInOptions): Promise<string | undefined> {
  if (!onCodeNeeded)
    return 'the page requires a code that is sent to a person; sign in during a session and save a profile'
  onCodeNeeded(true)
  try {
    const left = driver.timeLeft() - RESERVED_FOR_REPLY_MS
    const isGiven = await driver.until((snapshot) => !fieldsIn(snapshot).some(isCode), left)
    return isGiven ? undefined : 'the page requires a code, and none was typed in time'
  } finally {
    onCodeNeeded(false)
  }
}

/** Reserved from the time budget for the reply. */
const RESERVED_FOR_REPLY_MS = 1500

const FIELD_MS = 8000

const fieldsIn = (snapshot: DomSnapshot): SnapshotElement[] =>
  snapshot.elements.filter((one) => isShown(one) && !one.disabled && !one.readonly && one.tag === 'input')

const wordsOf = (one: SnapshotElement): string =>
  [one.name, one.beside, one.placeholder, one.dom, one.field].join(' ').toLowerCase()

const isPassword = ({ type }: SnapshotElement): boolean => type === 'password'

const isUsername = (one: SnapshotElement): boolean =>
  /^(text|email|tel)$/.test(one.type ?? '') &&
  !isCode(one) &&
  (one.type === 'email' || /user|e-?mail|login|account|phone|customer|benutzer|utilisateur|usuario/.test(wordsOf(one)))

const isCode = (one: SnapshotElement): boolean =>
  /^(text|tel|number|password)$/.test(one.type ?? '') && /one.?time|\botp|\b2fa|authenticat|\bcode\b/.test(wordsOf(one))

interface FieldInPage {
  style: { setProperty(name: string, value: string, priority: string): void }
  form?: { action: unknown; elements: ArrayLike<{ formAction?: unknown; hasAttribute(name: string): boolean }> } | null
}

/** Text fields show what is typed; pictures and viewers must not. */
export async function maskField(handle: ElementHandle): Promise<void> {
  await handle.evaluate((field) =>
    (field as unknown as FieldInPage).style.setProperty('-webkit-text-security', 'disc', 'important'),
  )
}

const SUBMITS = /^(sign|log) ?(in|on)\b|^(continue|next|submit|verify|confirm)\b/i

/** By Enter, as most forms take it, else by the button that says so. */
async function submit(driver: PageDriver, field: SnapshotElement): Promise<void> {
  const before = serializeVisibleState(driver.snapshot)
  const handle = await driver.handle(field)
  await handle.focus()
  await driver.key('Enter')
  if (serializeVisibleState(driver.snapshot) !== before) return
  const button = driver.snapshot.elements.find(
    (one) => isShown(one) && one.does === 1 && !one.disabled && SUBMITS.test(labelOfElement(one).trim()),
  )
  if (button) await driver.press(button)
}

/** Whether values of an entry may go to this address: of its registrable domain, over https. */
export function mayReceiveVaultValues(address: string, domain: string, allowLoopbackHttp: boolean): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isLoopback = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]'
  const isSafe = protocol === 'https:' || (protocol === 'http:' && allowLoopbackHttp && isLoopback)
  return isSafe && registrableDomainOrHost(hostname) === registrableDomainOrHost(domain)
}

/** The field, the addresses that its form sends to and every frame around it must be of the entry's domain. */
async function whyNotTyped(handle: ElementHandle, domain: string, { allowLoopbackHttp }: SignInOptions) {
  const isAllowed = (address: string): boolean => mayReceiveVaultValues(address, domain, allowLoopbackHttp)
  for (let frame: Frame | null = await handle.ownerFrame(); frame; frame = frame.parentFrame())
    if (!isAllowed(frame.url()))
      return `the vault entry is for https://${domain}, and the field belongs to ${originOf(frame.url())}`
  const actions = await handle.evaluate((field): unknown[] => {
    const { form } = field as unknown as FieldInPage
    if (!form) return []
    // A button may send the form elsewhere.
    const buttons = Array.from(form.elements).filter((one) => one.hasAttribute('formaction'))
    return [form.action, ...buttons.map(({ formAction }) => formAction)]
  })
  // A field may be named "action", which hides the form's own.
  const other = actions.find((action) => typeof action !== 'string' || !isAllowed(action))
  return other === undefined
    ? undefined
    : `the vault entry is for https://${domain}, and the form submits to ${originOf(String(other))}`
}

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : 'another address')
