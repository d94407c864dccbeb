import { useLocation, useSearch } from 'wouter'

/** The side panel needs this width. */
const sidePanelQuery = '(min-width: 1100px)'

/** The order in the side panel, stored in the address (`open`). Opening returns false if there is no room for the panel. */
export const useOpenOrder = () => {
  const [path, navigate] = useLocation()
  const openParam = new URLSearchParams(useSearch()).get('open')
  const write = (orderNumber: string | null) => {
    const next = new URLSearchParams(window.location.search)
    if (orderNumber === null) next.delete('open')
    else next.set('open', orderNumber)
    const search = next.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return {
    openNumber: openParam !== null && /^[\w-]{1,20}$/.test(openParam) ? openParam : null,
    open: (orderNumber: string): boolean => {
      if (!window.matchMedia(sidePanelQuery).matches) return false
      write(orderNumber)
      return true
    },
    close: () => write(null),
  }
}
