import { removeFirstView } from './first-view.ts'

const loadModule = async () => await import('./open-code-page.ts')

/** Opens a code page if possible. Never rejects: otherwise the app shows the screen of the address, which redeems it. */
export const startCodePage = async (block: HTMLElement, load: typeof loadModule = loadModule): Promise<void> => {
  try {
    await (await load()).openCodePage(block)
  } catch (problem) {
    console.warn(problem)
    removeFirstView()
  }
}
