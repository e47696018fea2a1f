/** The first argument with which the program only holds a connection to a bus. */
export const BROKER_COMMAND = "hold-bus-connection";
