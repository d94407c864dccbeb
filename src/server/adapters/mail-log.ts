import type { Mail, Message } from '../ports/mail.ts'
import { type MailRecorder, recordMail } from './mail-record.ts'

/** Mail that is only logged for administrators, without its secrets, and handed to `show`. */
export const mailLog = (recorder: MailRecorder, show: (message: Message) => void = () => {}): Mail => ({
  send: async (message) => {
    await recordMail(recorder, message, 'kept')
    show(message)
  },
})
