import { useLocation, useSearch } from 'wouter'

/** Where there is room beside a list. */
const sidePanelQuery = '(min-width: 1100px)'

/** Who is open beside the list, kept in its address (`open`); opening does nothing and answers false where there is no room. */
export const useOpenSubject = () => {
  const [path, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch())
  const written = asked.get('open')
  const write = (id: string | null) => {
    const next = new URLSearchParams(window.location.search)
    if (id === null) next.delete('open')
    else next.set('open', id)
    const search = next.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return {
    openId: written && /^\d{1,15}$/.test(written) ? Number(written) : null,
    open: (id: number): boolean => {
      if (!window.matchMedia(sidePanelQuery).matches) return false
      write(String(id))
      return true
    },
    close: () => write(null),
  }
}
