// Asks dist how the service would log in to a database, once for each message: login-checks.ts sends connections, and
// gets back what was found or why it was refused. Starting the service for each of them would take a hundred times as long.
const { join } = require('node:path');
const { verifyServiceLogin } = require(join(__dirname, '../../dist/src/database/roles/service-role.js'));

process.on('message', ({ id, connection }) => {
  verifyServiceLogin(connection).then(
    (login) => process.send({ id, login }),
    (error) => process.send({ id, refusal: String(error.message) }),
  );
});
process.once('disconnect', () => process.exit());
