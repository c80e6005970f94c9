// Where we are: the part of the address after `#/`. The server knows one page; everything below it is told apart here.
import { computed, signal } from '@preact/signals'

const read = (): string => decodeURI(location.hash.replace(/^#\/?/, ''))

const hash = signal(read())
addEventListener('hashchange', () => {
  hash.value = read()
})

/** `jobs/1f…` → ['jobs', '1f…'] */
export const place = computed(() => hash.value.split('?')[0]!.split('/').filter(Boolean))

export const go = (to: string): void => {
  location.hash = `/${to}`
}
