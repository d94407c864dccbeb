import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useEffect, useState } from 'react'
import { ButtonLink } from '#ui/button/button.tsx'
import { calendarReminder } from './calendar-reminder.ts'

type ReminderLinkProps = { opens: string; what: string }

/** The opening time as a calendar file for the phone, which needs no email address. */
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
