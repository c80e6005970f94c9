// What a visit or a session keeps of its sign-ins: the values to mask, and whether code of the caller may run.
import type { Page } from 'playwright-core'
import { SecretMasker } from '../../base/secret-masker.ts'
import type { ProxyLogin } from '../browser-proxy.ts'

export class SignInGuard {
  readonly masker: SecretMasker
  /** Code of the caller has run in this browser context. */
  hasRunCode = false
  /** The document in which values were typed that the caller's code must not read. */
  typed: { document: string; values: readonly string[] } | undefined
  /** Refuses requests to other addresses until the returned function is called. */
  readonly restrictRequests: ProxyLogin['restrictRequests']

  constructor(pass: Pick<ProxyLogin, 'restrictRequests'>, masker = new SecretMasker()) {
    this.masker = masker
    this.restrictRequests = pass.restrictRequests
  }

  /** Why code of the caller may not run in this page now. */
  async codeRefusal(page: Page): Promise<string | undefined> {
    if (!this.typed) return undefined
    if ((await readDocumentId(page)) === this.typed.document) return CODE_OFF
    // A form that is sent by GET writes its values into the address of the next document.
    const addresses = page.url() + (await page.evaluate<string>('document.referrer').catch(() => ''))
    const masker = new SecretMasker()
    masker.add(this.typed.values)
    return masker.text(addresses) === addresses ? undefined : CODE_OFF
  }
}

const CODE_OFF =
  'a sign-in of the vault was typed in this document; code can run again in the next document, or if the entry has `code: true`'

/** Changes with every document, not with moves inside one. */
export async function readDocumentId(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  try {
    return (await session.send('Page.getFrameTree')).frameTree.frame.loaderId
  } finally {
    await session.detach().catch(() => {})
  }
}
