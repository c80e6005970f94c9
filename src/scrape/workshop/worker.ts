// What a worker thread runs: the digest, under the name by which the workshop calls it.
export { digest } from './digest.ts'
