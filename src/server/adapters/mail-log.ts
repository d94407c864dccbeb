import type { Mail, Message } from '../ports/mail.ts'
import { type MailRecorder, recordMail } from './mail-record.ts'

/** Mail that is kept where administrators can read it, without its secrets, and goes no further than to `show`. */
export const mailLog = (recorder: MailRecorder, show: (message: Message) => void = () => {}): Mail => ({
  send: async (message) => {
    await recordMail(recorder, message, 'kept')
    show(message)
  },
})
