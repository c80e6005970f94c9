export const floors: readonly (readonly string[])[]
export function brokenFloors(src?: string): string[]
