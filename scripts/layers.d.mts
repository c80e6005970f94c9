export const layers: readonly (readonly string[])[]
export function brokenLayers(src?: string): string[]
export function circlesIn(folder: string): string[]
