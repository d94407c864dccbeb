/** The class with which base.css locks the page. */
export const scrollLockClass = 'scroll-locked'

let holders = 0

/** Locks the page's scrolling until the returned function is called; several dialogs may hold the lock. */
export const lockScroll = (): (() => void) => {
  if (holders === 0) {
    const bar = window.innerWidth - document.documentElement.clientWidth
    document.documentElement.style.setProperty('--scroll-bar', `${Math.max(0, bar)}px`)
  }
  holders += 1
  document.body.classList.add(scrollLockClass)
  let isReleased = true
  return () => {
    if (!isReleased) return
    isReleased = false
    holders -= 1
    if (holders === 0) document.body.classList.remove(scrollLockClass)
  }
}
