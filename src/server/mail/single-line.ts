/** What stands in a mail's header is one line: a name with a line break in it would begin another header. */
export const singleLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
