type Reminder = { opens: string; what: string; link: string; madeAt: string }

const stamp = (instant: string) => `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`
const escaped = (text: string) => text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r?\n/g, '\\n')

/** A calendar entry (iCalendar, RFC 5545) for the moment a job opens. Instants are ISO 8601 UTC. */
export const calendarReminder = ({ opens, what, link, madeAt }: Reminder): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fieldproof//EN',
    'BEGIN:VEVENT',
    `UID:${stamp(opens)}-${encodeURIComponent(link)}`,
    `DTSTAMP:${stamp(madeAt)}`,
    `DTSTART:${stamp(opens)}`,
    'DURATION:PT30M',
    `SUMMARY:${escaped(`${what}: orders open`)}`,
    `URL:${link}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:PT0M',
    `DESCRIPTION:${escaped(what)}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
