const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/
const LONGEST = 500

/** The key itself when it is one every store of ours can hold; throws otherwise. No part begins with a dot, so `..` and hidden files cannot be named. */
export const checkedKey = (key: string): string => {
  if (key.length > LONGEST || !KEY.test(key)) throw new Error(`Not a file key: ${JSON.stringify(key.slice(0, 100))}`)
  return key
}

/** A folder to list: a key followed by `/`, or nothing for the whole store; throws otherwise. */
export const checkedFolder = (folder: string): string => {
  if (folder === '') return folder
  if (!folder.endsWith('/'))
    throw new Error(`A folder of files ends in a slash: ${JSON.stringify(folder.slice(0, 100))}`)
  return `${checkedKey(folder.slice(0, -1))}/`
}
