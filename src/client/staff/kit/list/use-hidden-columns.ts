import { useLocation, useSearch } from 'wouter'

export type HiddenColumns = {
  /** The columns that were hidden. */
  ids: ReadonlySet<string>
  /** The columns that were chosen although they are left out by default. */
  chosen: ReadonlySet<string>
  setVisible: (id: string, isVisible: boolean) => void
}

const readIds = (params: URLSearchParams, name: string): Set<string> =>
  new Set((params.get(name) ?? '').split(',').filter((id) => id !== ''))

/** Hidden and chosen columns of the list, stored in the URL (`without` and `with`). */
export const useHiddenColumns = (): HiddenColumns => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const hidden = readIds(params, 'without')
  const chosen = readIds(params, 'with')
  const setVisible = (id: string, isVisible: boolean) => {
    const [added, other] = isVisible ? [chosen, hidden] : [hidden, chosen]
    other.delete(id)
    added.add(id)
    for (const [name, ids] of Object.entries({ without: hidden, with: chosen })) {
      if (ids.size > 0) params.set(name, [...ids].join(','))
      else params.delete(name)
    }
    const search = params.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return { ids: hidden, chosen, setVisible }
}
