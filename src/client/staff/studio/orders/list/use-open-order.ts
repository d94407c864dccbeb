import { useLocation, useSearch } from 'wouter'

/** Where there is room beside a list. */
const sidePanelQuery = '(min-width: 1100px)'

/** Which order is open beside the list, kept in its address (`open`); opening does nothing and answers false where there is no room. */
export const useOpenOrder = () => {
  const [path, navigate] = useLocation()
  const written = new URLSearchParams(useSearch()).get('open')
  const write = (orderNumber: string | null) => {
    const next = new URLSearchParams(window.location.search)
    if (orderNumber === null) next.delete('open')
    else next.set('open', orderNumber)
    const search = next.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return {
    openNumber: written !== null && /^[\w-]{1,20}$/.test(written) ? written : null,
    open: (orderNumber: string): boolean => {
      if (!window.matchMedia(sidePanelQuery).matches) return false
      write(orderNumber)
      return true
    },
    close: () => write(null),
  }
}
