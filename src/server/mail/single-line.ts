/** Removes line breaks from a value for an email header, where a line break would begin another header. */
export const singleLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
