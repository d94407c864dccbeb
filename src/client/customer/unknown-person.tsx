import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { type CustomerRoute, urls } from '../shell/urls.ts'
import { toastError } from '../ui/toast.ts'

/** Nobody this device knows: back to where people are chosen, and why. */
export const UnknownPerson = (place: CustomerRoute) => {
  const [, navigate] = useLocation()
  const search = urls.subjectSearch(place)
  useEffect(() => {
    toastError(['This phone does not know that person. Choose or type in who you are ordering for'])
    navigate(search, { replace: true })
  }, [search, navigate])
  return null
}
