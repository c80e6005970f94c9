// A link that a page named; followed only if it is one, and then without telling it where we came from.
import { safeHref } from '../words.ts'

export const Away = ({ url, children }: { url: string; children?: string | undefined }) => {
  const href = safeHref(url)
  return href === undefined ? (
    <span class="break">{children ?? url}</span>
  ) : (
    <a class="break" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? url}
    </a>
  )
}
