/** Joins the class names that apply; the ones that don't are `undefined` or `false`. */
export const classNames = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
