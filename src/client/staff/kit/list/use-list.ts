import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { defaultPageSize, firstPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'

/** Debounce in milliseconds before the typed filter is sent to the server. */
const pauseMs = 200

export type ListState<Name extends string> = {
  currentPage: number
  /** The typed text; `query` follows after the debounce. */
  filter: string
  /** `name`, or `-name` for descending. Undefined for the server's order. */
  sort: string | undefined
  /** The list's own filters; unset ones are absent. */
  chosen: Partial<Record<Name, string>>
  /** Query of the list call. */
  query: { currentPage: number; pageSize: number; filter?: string; sort?: string } & Partial<Record<Name, string>>
  goTo: (page: number) => void
  setFilter: (text: string) => void
  sortBy: (column: string) => void
  choose: (name: Name, value: string | undefined) => void
  /** Removes all filters. */
  clear: () => void
  isFiltered: boolean
}

const pageIn = (text: string | null): number => {
  const page = parseNumber(text ?? '')
  return Number.isSafeInteger(page) && page >= firstPage ? page : firstPage
}

/**
 * State of a list, stored in the address, so that a link, a reload or going back shows the same rows. `names` are the list's own filters
 * in addition to `page`, `filter` and `sort`.
 */
export const useList = <Name extends string = never>(names: readonly Name[] = []): ListState<Name> => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const filterParam = params.get('filter') ?? ''
  const [typed, setTyped] = useState({ text: filterParam, under: filterParam })
  // The address was changed elsewhere, for example by going back: it wins over the typed text.
  if (typed.under !== filterParam) setTyped({ text: filterParam, under: filterParam })

  const write = (changes: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const search = next.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  const { text } = typed
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the debounce
  useEffect(() => {
    if (text === filterParam) return
    const pause = setTimeout(() => {
      setTyped({ text, under: text })
      write({ filter: text, page: undefined })
    }, pauseMs)
    return () => clearTimeout(pause)
  }, [text])

  const chosen: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = params.get(name)
    if (value) chosen[name] = value
  }
  const currentPage = pageIn(params.get('page'))
  const sort = params.get('sort') ?? undefined
  return {
    currentPage,
    filter: text,
    sort,
    chosen,
    query: {
      currentPage,
      pageSize: defaultPageSize,
      ...(filterParam && { filter: filterParam }),
      ...(sort && { sort }),
      ...chosen,
    },
    goTo: (page) => write({ page: page === firstPage ? undefined : String(page) }),
    setFilter: (next) => setTyped({ text: next, under: filterParam }),
    sortBy: (column) => write({ sort: sort === column ? `-${column}` : column, page: undefined }),
    choose: (name, value) => write({ [name]: value, page: undefined }),
    clear: () => {
      setTyped({ text: '', under: filterParam })
      write({ filter: undefined, page: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) })
    },
    isFiltered: filterParam !== '' || Object.keys(chosen).length > 0,
  }
}
