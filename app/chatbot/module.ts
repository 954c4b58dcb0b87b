import { chatbots } from '#domain/chatbot/contract.ts'
import { type Area, calls } from '../module.ts'
import { chatbotRoutes } from './routes.ts'

export const chatbotArea: Area = { calls: [calls('chatbots', chatbots, chatbotRoutes)] }
