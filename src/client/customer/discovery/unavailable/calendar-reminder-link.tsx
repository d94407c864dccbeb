import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useEffect, useState } from 'react'
import { ButtonLink } from '#ui/button/button.tsx'
import { calendarReminder } from './calendar-reminder.ts'

type ReminderLinkProps = { opens: string; what: string }

/** The moment it opens as an entry for the phone's own calendar, which needs no address of anybody's. */
export const CalendarReminderLink = ({ opens, what }: ReminderLinkProps) => {
  const [address, setAddress] = useState('')
  useEffect(() => {
    const text = calendarReminder({ opens, what, link: window.location.href, madeAt: new Date().toISOString() })
    const made = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [opens, what])
  if (address === '') return null
  return (
    <ButtonLink href={address} download="order-pictures.ics" icon={CalendarPlus} variant="secondary">
      Put it in my calendar
    </ButtonLink>
  )
}
