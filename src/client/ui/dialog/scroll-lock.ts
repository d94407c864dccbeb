/** The class with which base.css locks the page. */
export const scrollLockClass = 'scroll-locked'

let lockCount = 0

/** Locks the page's scrolling until the returned function is called; several dialogs may hold the lock. */
export const lockScroll = (): (() => void) => {
  if (lockCount === 0) {
    const scrollBarWidth = window.innerWidth - document.documentElement.clientWidth
    document.documentElement.style.setProperty('--scroll-bar', `${Math.max(0, scrollBarWidth)}px`)
  }
  lockCount += 1
  document.body.classList.add(scrollLockClass)
  let isLocked = true
  return () => {
    if (!isLocked) return
    isLocked = false
    lockCount -= 1
    if (lockCount === 0) document.body.classList.remove(scrollLockClass)
  }
}
