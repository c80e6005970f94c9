export function deadExports(): string[]
