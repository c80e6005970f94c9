// Lists of addresses: one per line, or separated by commas and spaces. Pure.

export interface AddressList {
  urls: string[]
  /** Lines that are no address. */
  dropped: { line: number; text: string }[]
}

const ADDRESS =
  /^(?:https?:\/\/)?(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,})(?::\d{1,5})?(?:[/?#]\S*)?$/iu

/** An address with its scheme; undefined for anything else. */
function addressOf(text: string): string | undefined {
  const trimmed = text.trim().replace(/^[<("']+|[>)"',;]+$/g, '')
  if (!ADDRESS.test(trimmed)) return undefined
  return /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}

export function readAddressLines(text: string): AddressList {
  const urls: string[] = []
  const dropped: AddressList['dropped'] = []
  for (const [at, line] of text.split('\n').entries()) {
    const words = line.split(/[\s,;]+/).filter(Boolean)
    const found = words.map(addressOf)
    if (words.length > 0 && found.every((url) => url !== undefined)) urls.push(...found)
    else if (words.length > 0) dropped.push({ line: at + 1, text: line.trim() })
  }
  const unique = [...new Set(urls)]
  return { urls: unique, dropped }
}
