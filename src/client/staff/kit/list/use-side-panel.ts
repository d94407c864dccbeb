import { useLocation, useSearch } from 'wouter'

/** Media query for windows that are wide enough for the side panel. */
const sidePanelQuery = '(min-width: 1100px)'

/**
 * The row of a list that is open in the side panel, stored in the URL (`open`). Ids that do not match `idPattern` are ignored. Opening
 * returns false if there is no room for the panel.
 */
export const useSidePanel = (idPattern: RegExp) => {
  const [path, navigate] = useLocation()
  const openParam = new URLSearchParams(useSearch()).get('open')
  const writeOpenId = (id: string | null) => {
    const nextParams = new URLSearchParams(window.location.search)
    if (id === null) nextParams.delete('open')
    else nextParams.set('open', id)
    const queryString = nextParams.toString()
    navigate(queryString ? `${path}?${queryString}` : path, { replace: true })
  }
  return {
    openId: openParam !== null && idPattern.test(openParam) ? openParam : null,
    open: (id: string): boolean => {
      if (!window.matchMedia(sidePanelQuery).matches) return false
      writeOpenId(id)
      return true
    },
    close: () => writeOpenId(null),
  }
}
