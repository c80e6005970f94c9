// Reads the files of a set. Cases are data: they are read, not imported, so that their type is the scorer's own.
import { readFileSync } from 'node:fs'

/** The cases of one file of a set: `readCases<JsonCase>(new URL('own.json', import.meta.url))`. */
export const readCases = <Case>(file: URL): Case[] => JSON.parse(readFileSync(file, 'utf8')) as Case[]

/** A page of our own: `readPage(new URL('pages/event-de.html', import.meta.url))`. */
export const readPage = (file: URL): string => readFileSync(file, 'utf8')
