/** The two ages of a conversation: idle ones go into the archive, archived ones go for good. Either may be set to never. */
import type { RetentionTable } from '@coffer/kernel';
import type { ChatOffice } from './chat.js';

export function chatRetention(chat: ChatOffice): RetentionTable[] {
  return [
    {
      table: 'chat_idle',
      timestampColumn: 'updated_at',
      displayName: 'Idle conversations',
      description: 'Conversations without a new message go into the archive, from where they can be taken back.',
      defaultDays: 7,
      prune: (before) => chat.archiveIdle(before),
    },
    {
      table: 'chat_archived',
      timestampColumn: 'archived_at',
      displayName: 'Archived conversations',
      description:
        'Conversations in the archive are deleted with their messages, counted from when they were archived.',
      defaultDays: 30,
      prune: (before) => chat.removeArchived(before),
    },
  ];
}
