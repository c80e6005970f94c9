// Which statements write, and which writes a sweep may have to follow.

const WRITES = /^\s*(?:insert|update|delete)/i
/** Rows that the service replaces by itself, every few seconds: no sweep has anything to do there. */
const BOOKKEEPING = /^\s*(?:insert into|update|delete from)\s+"?(?:workers|bells|settings|browser_leases)\b/i

export const isWrite = (sql: string): boolean => WRITES.test(sql)

export const canLeaveRowsToSweep = (sql: string): boolean => isWrite(sql) && !BOOKKEEPING.test(sql)
