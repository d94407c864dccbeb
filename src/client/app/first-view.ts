/** Removes the first view of a code page, so that the app behind it is visible and usable. */
export const removeFirstView = (): void => {
  document.getElementById('first-view')?.remove()
  document.getElementById('root')?.removeAttribute('style')
}
