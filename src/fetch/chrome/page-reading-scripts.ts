// Scripts that read a finished page: serialise it, measure its style, scroll to load lazy parts, and refuse cookie banners.
import { makePageScript } from '../../base/page-script.ts'

const script = <A extends readonly unknown[]>(name: string) =>
  makePageScript<A>(new URL(`./page-scripts/${name}.js`, import.meta.url))

export const makeSerializeHtmlScript = script<[]>('serialize-html')

export const makeComputedStyleScript = script<[]>('measure-style')

export const makeScrollScript = script<[budgetMs: number, grows: number]>('scroll-down')

export const makeRefuseConsentScript = script<[unanswered: 'leave' | 'remove']>('refuse-consent')
