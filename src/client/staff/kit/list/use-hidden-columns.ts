import { useLocation, useSearch } from 'wouter'

export type HiddenColumns = {
  hidden: ReadonlySet<string>
  show: (id: string, shown: boolean) => void
}

/** Hidden columns of the list, stored in the address (`without`). */
export const useHiddenColumns = (): HiddenColumns => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const hidden = new Set((params.get('without') ?? '').split(',').filter((id) => id !== ''))
  const show = (id: string, shown: boolean) => {
    const next = new Set(hidden)
    if (shown) next.delete(id)
    else next.add(id)
    if (next.size > 0) params.set('without', [...next].join(','))
    else params.delete('without')
    const search = params.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return { hidden, show }
}
