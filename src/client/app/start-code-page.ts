import { removeFirstView } from './first-view.ts'

const loadModule = () => import('./open-code-page.ts')

/** Opens a code page if possible. Never rejects: if it fails, the usual screen of the address redeems the code. */
export const startCodePage = (block: HTMLElement, load: typeof loadModule = loadModule): Promise<void> =>
  load()
    .then(({ openCodePage }) => openCodePage(block))
    .catch((problem: unknown) => {
      console.warn(problem)
      removeFirstView()
    })
