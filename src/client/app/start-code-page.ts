import { removeFirstView } from './first-view.ts'

const loadModule = () => import('./open-code-page.ts')

/** Opens a code page if possible. Never rejects: otherwise the app shows the screen of the address, which redeems it. */
export const startCodePage = (block: HTMLElement, load: typeof loadModule = loadModule): Promise<void> =>
  load()
    .then(({ openCodePage }) => openCodePage(block))
    .catch((problem: unknown) => {
      console.warn(problem)
      removeFirstView()
    })
