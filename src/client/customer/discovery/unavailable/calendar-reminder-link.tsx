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
    const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [opens, what])
  if (address === '') return null
  return (
    <ButtonLink href={address} download="order-pictures.ics" icon={CalendarPlus} variant="secondary">
      Put it in my calendar
    </ButtonLink>
  )
}
