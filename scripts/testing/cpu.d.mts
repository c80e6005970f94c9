export function cpuSeconds(): number
