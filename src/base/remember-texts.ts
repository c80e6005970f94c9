// Remembers what is made of short texts that recur: words, labels, class names.
import { LRUCache } from 'lru-cache'

export function rememberTexts<Value extends NonNullable<unknown>>(
  work: (text: string) => Value,
  { max, maxChars }: { max: number; maxChars: number },
): (text: string) => Value {
  const known = new LRUCache<string, Value>({ max })
  return (text) => {
    if (text.length > maxChars) return work(text)
    const value = known.get(text) ?? work(text)
    known.set(text, value)
    return value
  }
}
