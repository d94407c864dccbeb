import { useLocation, useSearch } from 'wouter'

/** The side panel needs this width. */
const sidePanelQuery = '(min-width: 1100px)'

/** The subject in the side panel, stored in the address (`open`). Opening returns false if there is no room for the panel. */
export const useOpenSubject = () => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const openParam = params.get('open')
  const write = (id: string | null) => {
    const next = new URLSearchParams(window.location.search)
    if (id === null) next.delete('open')
    else next.set('open', id)
    const search = next.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return {
    openId: openParam && /^\d{1,15}$/.test(openParam) ? Number(openParam) : null,
    open: (id: number): boolean => {
      if (!window.matchMedia(sidePanelQuery).matches) return false
      write(String(id))
      return true
    },
    close: () => write(null),
  }
}
