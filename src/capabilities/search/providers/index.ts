// The providers this build knows, in the order they are shown to people. One more costs one file and one line here.
import type { Provider } from '../provider.ts'

export const providers: readonly Provider[] = []
