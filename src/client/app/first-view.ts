/**
 * Removes the first view of a page, so that the app behind it is visible and usable. A package that was tapped in it and
 * that the app's first screen has not opened is forgotten, because later it would open unexpectedly.
 */
export const removeFirstView = (): void => {
  window.earlyButton = null
  document.getElementById('first-view')?.remove()
  document.getElementById('root')?.removeAttribute('style')
}

/** Replaces the page's first view with the app once it has rendered a heading. Until then the app stays invisible. */
export const replaceFirstView = (): void => {
  const [firstView, root] = [document.getElementById('first-view'), document.getElementById('root')]
  if (!firstView || !root) return
  root.style.cssText = 'position:absolute;inset:0 0 auto;visibility:hidden'
  const observer = new MutationObserver(() => {
    if (!root.querySelector('h1')) return
    observer.disconnect()
    removeFirstView()
  })
  observer.observe(root, { childList: true, subtree: true })
}
